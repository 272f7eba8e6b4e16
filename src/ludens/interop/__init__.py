"""Bridges to other libraries, each behind the extra ``interop``."""
