"""Files to type ids: reading, cutting and numbering text."""
