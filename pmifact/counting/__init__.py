"""Token ids to rows of counts, in memory or shard by shard on disk."""
