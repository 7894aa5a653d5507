"""Services of the window: threads, stores and files behind Qt signals."""
