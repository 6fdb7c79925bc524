"""UTF-8 bytes to tokens, and tokens to ids in a hash table that keeps their bytes.

A table is a tuple of five arrays, owned and grown by the caller: `slots` uint64[2^b] (0 where free; else the
upper half of a type's hash over its id + 1), `hashes` uint64[.] and `counts` int64[.] by id, `ends` int64[.]
(type i is arena[ends[i]:ends[i + 1]], ends[0] is 0) and `arena` uint8[.], eight bytes more than the types
take. The number of types stands in the caller's `state` or return value. No more than 2^31 - 1 types fit,
since ids are int32.
"""

import numpy as np
from numba import njit, uint64

from pmifact.kernels.bytes import RUN, address_of, last_word, run_length, short_word, word_at
from pmifact.kernels.prefetch import prefetch

# What a character is; class_of is uint8[0x110000].
SEPARATOR, TOKEN, JOINER, SPACE = 0, 1, 2, 3

# Where a line's end also ends a sentence.
BOUNDARY_LINE, BOUNDARY_BLANK, BOUNDARY_NONE = 0, 1, 2

# Why a scan came back.
FINISHED, TABLE_FULL, INVALID = 0, 1, 2

# Places in `state`.
POSITION, N_TYPES, N_TOKENS, N_BREAKS, N_LINES, LINE_HAS_TEXT = range(6)

LINE_FEED = 10
BATCH = 128  # tokens that are cut before they are looked up; a table has room for as many more types

_INVALID_CHARACTER = -1
_UPPER, _LOWER = uint64(0xFFFFFFFF00000000), uint64(0xFFFFFFFF)


# What follows is inlined by numba itself, and takes addresses: see `pmifact.kernels.bytes`.
@njit(inline="always")
def _hash(at, length, limit):
    """Hash the `length` bytes from an address on; none from `limit` on are read."""
    h = uint64(0x9E3779B97F4A7C15) ^ uint64(length)
    if length < 8:
        word = short_word(at, length, limit)
    else:
        for k in range(length >> 3):
            h = (h ^ word_at(at + 8 * k)) * uint64(0xD6E8FEB86659FD93)
            h ^= h >> uint64(32)
        word = last_word(at, length)
    h = (h ^ word) * uint64(0xD6E8FEB86659FD93)
    return h ^ (h >> uint64(32))


@njit(inline="always")
def _find(at, length, limit, h, mask, slots_at, ends_at, arena_at):
    """Return the id of the token of hash h at an address, or -1 - the free slot where it belongs.

    The last three are the addresses of `slots`, `ends` and `arena`, `mask` the number of slots minus 1.
    """
    slot = h & mask
    entry = word_at(slots_at + np.int64(slot << uint64(3)))
    found = np.int64(-1)
    while found < 0 and entry:
        if entry & _UPPER == h & _UPPER:
            known = np.int64(entry & _LOWER) - 1
            known_at = arena_at + np.int64(word_at(ends_at + 8 * known))
            if arena_at + np.int64(word_at(ends_at + 8 * known + 8)) - known_at == length:
                if length < 8:
                    same = short_word(known_at, length, known_at + 8) == short_word(at, length, limit)
                else:
                    same = last_word(known_at, length) == last_word(at, length)
                    k = 0
                    while same and k < length >> 3:
                        same = word_at(known_at + 8 * k) == word_at(at + 8 * k)
                        k += 1
                if same:
                    found = known
        if found < 0:
            slot = (slot + uint64(1)) & mask
            entry = word_at(slots_at + np.int64(slot << uint64(3)))
    if found < 0:
        found = -1 - np.int64(slot)
    return found


@njit(cache=True, nogil=True)
def _add(text, start, end, h, slot, slots, hashes, ends, arena, n_types):
    """Give the token text[start:end] the id n_types."""
    slots[slot] = (h & _UPPER) | uint64(n_types + 1)
    hashes[n_types] = h
    at = ends[n_types]
    for k in range(end - start):
        arena[at + k] = text[start + k]
    ends[n_types + 1] = at + end - start


@njit(cache=True, nogil=True)
def _full(length, n_types, slots, hashes, ends, arena):
    """Whether a batch of types, of this length together, might find no room; a word must fit behind each."""
    full = n_types + BATCH >= len(hashes) or 2 * (n_types + BATCH) >= len(slots)
    return full or ends[n_types] + length + 8 > len(arena)


@njit(cache=True, nogil=True)
def _ascii_ranges(class_of):
    """Return the first and last of three ranges of ASCII token characters; further ones are left out."""
    found = np.zeros((3, 2), np.uint8)
    n_ranges = 0
    for code in range(0x80):
        if class_of[code] == TOKEN:
            if code == 0 or class_of[code - 1] != TOKEN:
                n_ranges += 1
                found[min(n_ranges, 4) - 1 :, 0] = code
            found[min(n_ranges, 4) - 1 :, 1] = code
    return found[0, 0], found[0, 1], found[1, 0], found[1, 1], found[2, 0], found[2, 1]


@njit(cache=True, nogil=True)
def rehash(slots, hashes, n_types):
    """Enter all types into `slots`, which comes in as zeros."""
    mask = uint64(len(slots) - 1)
    for known in range(n_types):
        slot = hashes[known] & mask
        while slots[slot]:
            slot = (slot + uint64(1)) & mask
        slots[slot] = (hashes[known] & _UPPER) | uint64(known + 1)


@njit(cache=True, nogil=True)
def _decode(text, position):
    """Return (code point, bytes it takes) of the character at `position`; code -1 when it is not valid UTF-8.

    Refuses what the Unicode standard does (table 3-7): overlong forms, surrogates, beyond U+10FFFF, and a
    sequence that the text cuts off.
    """
    first = np.int64(text[position])
    if first < 0x80:
        return first, 1
    if 0xC2 <= first < 0xE0:
        length, code, low, high = 2, first & 0x1F, 0x80, 0xBF
    elif 0xE0 <= first < 0xF0:
        length, code = 3, first & 0x0F
        low = 0xA0 if first == 0xE0 else 0x80
        high = 0x9F if first == 0xED else 0xBF
    elif 0xF0 <= first < 0xF5:
        length, code = 4, first & 0x07
        low = 0x90 if first == 0xF0 else 0x80
        high = 0x8F if first == 0xF4 else 0xBF
    else:
        return _INVALID_CHARACTER, 1
    if position + length > len(text):
        return _INVALID_CHARACTER, 1
    for k in range(1, length):
        byte = np.int64(text[position + k])
        if not low <= byte <= high:
            return _INVALID_CHARACTER, 1
        low, high = 0x80, 0xBF
        code = (code << 6) | (byte & 0x3F)
    return code, length


@njit(cache=True, nogil=True)
def _token_end(text, position, class_of):
    """Return the end of the token that starts at `position`; -1 - p when the bytes at p are not UTF-8."""
    end = len(text)
    while position < end:
        if text[position] < 0x80 and class_of[text[position]] == TOKEN:
            position += 1
            continue
        code, length = _decode(text, position)
        if code < 0:
            return -1 - position
        kind = class_of[code]
        if kind == JOINER:  # belongs to the token only between two token characters
            after = position + length
            if after == end:
                return position
            code, _ = _decode(text, after)
            if code < 0:
                return -1 - after
            if class_of[code] != TOKEN:
                return position
        elif kind != TOKEN:
            return position
        position += length
    return position


@njit(cache=True, nogil=True)
def _cut(text, class_of, ranges, boundary, batch, breaks, state):
    """Cut tokens from state[POSITION] on, as many as the batch holds; return (their number, their bytes).

    Writes their starts, lengths and hashes to the batch, and moves the state on. Stops before the end of the
    text, with less than a whole batch, where the bytes at state[POSITION] are not UTF-8.
    """
    starts, lengths, hashes = batch
    position, end, has_text = state[POSITION], len(text), state[LINE_HAS_TEXT]
    text_at, n, total = address_of(text), 0, 0
    while position < end and n < len(starts):
        code, length = np.int64(text[position]), 1
        if code >= 0x80:
            code, length = _decode(text, position)
            if code < 0:
                break
        kind = class_of[code]
        if kind != TOKEN:
            if code == LINE_FEED:
                state[N_LINES] += 1
                if boundary == BOUNDARY_LINE or (boundary == BOUNDARY_BLANK and not has_text):
                    breaks[state[N_BREAKS]] = state[N_TOKENS] + n
                    state[N_BREAKS] += 1
                has_text = 0
            elif kind != SPACE:
                has_text = 1
            position += length
            continue
        token_end = position + length
        if code < 0x80 and position + RUN <= end:
            token_end = position + run_length(text_at + position, ranges)
        while token_end < end and text[token_end] < 0x80 and class_of[text[token_end]] == TOKEN:
            token_end += 1
        if token_end < end and (text[token_end] >= 0x80 or class_of[text[token_end]] == JOINER):
            token_end = _token_end(text, token_end, class_of)
            if token_end < 0:
                position = -1 - token_end
                break
        starts[n], lengths[n] = position, token_end - position
        hashes[n] = _hash(text_at + position, token_end - position, text_at + end)
        total += token_end - position
        n += 1
        has_text = 1
        position = token_end
    state[POSITION], state[LINE_HAS_TEXT] = position, has_text
    state[N_TOKENS] += n
    return n, total


@njit(cache=True, nogil=True)
def _count(text, batch, n, table, n_types, ids):
    """Count the n tokens of a batch, for which there is room, and write their ids; return the types now."""
    starts, lengths, batch_hashes = batch
    slots, hashes, counts, ends, arena = table
    text_at, limit = address_of(text), address_of(text) + len(text)
    slots_at, ends_at, arena_at = address_of(slots), address_of(ends), address_of(arena)
    mask = uint64(len(slots) - 1)
    # Rare types lie far apart in memory, and each would be waited for, twice.
    for k in range(n):
        prefetch(slots, np.int64(batch_hashes[k] & mask))
    for k in range(n):
        prefetch(ends, np.int64(slots[batch_hashes[k] & mask] & _LOWER))
    for k in range(n):
        h = batch_hashes[k]
        token = _find(text_at + starts[k], lengths[k], limit, h, mask, slots_at, ends_at, arena_at)
        if token < 0:
            _add(text, starts[k], starts[k] + lengths[k], h, -1 - token, slots, hashes, ends, arena, n_types)
            token = n_types
            counts[token] = 0
            n_types += 1
        counts[token] += 1
        ids[k] = token
    return n_types


@njit(cache=True, nogil=True)
def scan(text, class_of, boundary, table, output, state):
    """Cut `text` into tokens from state[POSITION] on, and count them in the table.

    Writes the ids of the tokens to output[0], and to output[1] the number of tokens before each sentence end.
    Returns FINISHED, TABLE_FULL (grow the table and call again: the state says where to go on) or INVALID
    (state[POSITION] is the offset of the first byte that is not UTF-8).

    text uint8[n], class_of uint8[0x110000], output (int32[n // 2 + 1], int32[lines + 1]), state int64[6]
    (POSITION, N_TYPES, N_TOKENS, N_BREAKS, N_LINES, LINE_HAS_TEXT).
    """
    slots, hashes, _, ends, arena = table
    ids, breaks = output
    ranges, before = _ascii_ranges(class_of), np.empty_like(state)
    batch = np.empty(BATCH, np.int64), np.empty(BATCH, np.int64), np.empty(BATCH, np.uint64)
    while state[POSITION] < len(text):
        before[:] = state
        n, length = _cut(text, class_of, ranges, boundary, batch, breaks, state)
        if _full(length, state[N_TYPES], slots, hashes, ends, arena):
            state[:] = before
            return TABLE_FULL
        state[N_TYPES] = _count(text, batch, n, table, state[N_TYPES], ids[before[N_TOKENS] :])
        if n < BATCH and state[POSITION] < len(text):
            return INVALID
    return FINISHED


@njit(cache=True, nogil=True)
def _longest(ends, first, last):
    longest = np.int64(0)
    for t in range(first, last):
        longest = max(longest, ends[t + 1] - ends[t])
    return longest


@njit(cache=True, nogil=True)
def absorb(types, lower, share, table, n_types, mapping, first):
    """Add the types of another table, from number `first` on, and their counts to this one.

    Writes the id of each to `mapping`. With `lower`, ASCII letters are lower-cased on the way, and a type
    that holds other characters is left out (its mapping becomes -1), for the caller to lower-case. Of the
    shares into which types fall by their hash, share[1] in all, only share[0] is added. Returns (number of
    types in this table, the next `first`), which falls short of all when the table is full.

    types (counts int64[.], ends int64[m + 1], arena uint8[.]), table as above, mapping int32[m].
    """
    from_counts, from_ends, from_arena = types
    slots, hashes, counts, ends, arena = table
    token = np.empty(_longest(from_ends, first, len(mapping)), np.uint8)
    token_at, limit = address_of(token), address_of(token) + len(token)
    slots_at, ends_at, arena_at = address_of(slots), address_of(ends), address_of(arena)
    mask = uint64(len(slots) - 1)
    for t in range(first, len(mapping)):
        length = from_ends[t + 1] - from_ends[t]
        ascii_only = True
        for k in range(length):
            byte = from_arena[from_ends[t] + k]
            ascii_only &= byte < 0x80
            token[k] = byte + 32 if lower and 65 <= byte <= 90 else byte
        mapping[t] = -1
        if lower and not ascii_only:
            continue
        h = _hash(token_at, length, limit)
        if (h >> uint64(40)) % uint64(share[1]) != uint64(share[0]):
            continue
        known = _find(token_at, length, limit, h, mask, slots_at, ends_at, arena_at)
        if known < 0:
            if _full(length, n_types, slots, hashes, ends, arena):
                return n_types, t
            _add(token, 0, length, h, -1 - known, slots, hashes, ends, arena, n_types)
            known = n_types
            counts[known] = 0
            n_types += 1
        counts[known] += from_counts[t]
        mapping[t] = known
    return n_types, len(mapping)


@njit(cache=True, nogil=True)
def look_up(types, table, mapping):
    """Write the id that each type of another table has in this one to `mapping`, -1 if it has none.

    types and table as in `absorb`, mapping int32[m].
    """
    _, from_ends, from_arena = types
    slots, _, _, ends, arena = table
    slots_at, ends_at, arena_at = address_of(slots), address_of(ends), address_of(arena)
    from_at, mask = address_of(from_arena), uint64(len(slots) - 1)
    limit = from_at + len(from_arena)
    for t in range(len(mapping)):
        at, length = from_at + from_ends[t], from_ends[t + 1] - from_ends[t]
        h = _hash(at, length, limit)
        mapping[t] = max(_find(at, length, limit, h, mask, slots_at, ends_at, arena_at), -1)
