"""Sparse matrix times dense block, Y = A X, with A cut into tiles of columns.

Each nonzero reads a row of X. The rows that one tile reads fit the cache, so a frequent column is fetched
once a tile, not once a nonzero. Within a tile the nonzeros of one row of A, a *segment*, lie together, and
their columns are counted from the tile's edge in 16 bits.
"""

from numba import njit

# Rows of X that a tile reads: 1 MiB at 64 columns of float32. At most 2^16.
TILE = 4096


@njit(cache=True, nogil=True)
def measure_tiles(indptr, indices, nonzeros, segments):
    """Count the nonzeros and the segments of each tile into the two arrays, shape (tiles,), zero before."""
    for row in range(len(indptr) - 1):
        last = -1
        for cell in range(indptr[row], indptr[row + 1]):
            tile = indices[cell] // TILE
            nonzeros[tile] += 1
            if tile != last:
                segments[tile] += 1
                last = tile


@njit(cache=True, nogil=True)
def fill_tiles(indptr, indices, data, next_cell, next_segment, columns, values, segment_rows, segment_starts):
    """Write the nonzeros tile by tile, row by row, from the first free cell and segment of each tile on.

    Shapes: next_* (tiles,), moved on; columns uint16 and values (nnz,); segment_* (segments,).
    """
    for row in range(len(indptr) - 1):
        last = -1
        for cell in range(indptr[row], indptr[row + 1]):
            tile = indices[cell] // TILE
            if tile != last:
                segment_rows[next_segment[tile]] = row
                segment_starts[next_segment[tile]] = next_cell[tile]
                next_segment[tile] += 1
                last = tile
            columns[next_cell[tile]] = indices[cell] - tile * TILE
            values[next_cell[tile]] = data[cell]
            next_cell[tile] += 1


# "contract" fuses a product with its sum; the order of the sums stays as written, for any number of threads.
@njit(cache=True, nogil=True, fastmath={"contract"})
def multiply_segments(columns, values, segment_rows, segment_starts, first, last, x, y):
    """Add A[row, :] X to Y[row, :], for segments first[t] to last[t] of each tile t.

    Shapes: first and last (tiles,); x (C, b) and y (R, b), both row-major. The inner loops run from 0 on:
    the compiler makes no vectors of a loop whose index might be negative.
    """
    width = x.shape[1]
    for tile in range(len(first)):
        part = x[tile * TILE :]
        for segment in range(first[tile], last[tile]):
            row = y[segment_rows[segment]]
            cell, end = segment_starts[segment], segment_starts[segment + 1]
            # Eight nonzeros for each time that the sums are read and written.
            while cell + 8 <= end:
                c0, c1, c2, c3 = columns[cell], columns[cell + 1], columns[cell + 2], columns[cell + 3]
                c4, c5, c6, c7 = columns[cell + 4], columns[cell + 5], columns[cell + 6], columns[cell + 7]
                v0, v1, v2, v3 = values[cell], values[cell + 1], values[cell + 2], values[cell + 3]
                v4, v5, v6, v7 = values[cell + 4], values[cell + 5], values[cell + 6], values[cell + 7]
                for j in range(width):
                    row[j] += (v0 * part[c0, j] + v1 * part[c1, j] + v2 * part[c2, j] + v3 * part[c3, j]) + (
                        v4 * part[c4, j] + v5 * part[c5, j] + v6 * part[c6, j] + v7 * part[c7, j]
                    )
                cell += 8
            while cell < end:
                value, column = values[cell], columns[cell]
                for j in range(width):
                    row[j] += value * part[column, j]
                cell += 1
