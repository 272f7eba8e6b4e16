"""Makes ``python -m ludens`` the command line."""

from ludens.cli import main

if __name__ == "__main__":
    main()
