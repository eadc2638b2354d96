"""The kernel: rules as paragraphs, and everything that follows from running them."""
