"""The style test: see main.py for how it runs and for the list of its rules."""
