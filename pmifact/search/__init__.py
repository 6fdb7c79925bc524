"""The words nearest to a word, and the answers to analogies."""
