"""What the image tool says when it cannot go on."""


class ImageError(Exception):
    """Says which file, and why."""
