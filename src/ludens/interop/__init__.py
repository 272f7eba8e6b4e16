"""Adapters to other libraries; they need the extra ``interop``."""
