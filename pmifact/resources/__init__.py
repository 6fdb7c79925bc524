"""What a run may use, and how it tells how far it is: threads, memory, files, progress."""
