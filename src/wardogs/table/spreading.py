"""The kernels of the spread: the cheapest cost from a start to every place of a lattice.

Of the many equal ways over open ground one is enough. So a way p-u-v is never tried if some p-w-v or a leg p-v is cheaper, or
equal and first in order (fewer legs, then the lower place). What is left to try from u after p is kept with the way p-u, once
per lattice, as bits; on a dense table it is two or three ways of thirteen. The cheapest way that is first in order has only
parts that are first in order, so every cost is still exact.
"""

from __future__ import annotations

from typing import Any

from wardogs.table.compiled import ALL_BITS, ONE, Floats, Ints, compiled, lowest_bit, whole
from wardogs.table.walking import CLEAR, NEAR, NEVER, TAKEN, is_barred

SHIFT = 7  # a bucket of the queue is 2**7 thousandths wide
LAST_BIT = 31  # stands for the way of that number and all after it

# Flat arrays of unsigned numbers of 32 bits: a way is to, cost, what to try after it, and with others about; a place is its cost,
# what is to be tried from it, the place before it + 1 (0: the start), its first way. What is used together lies together.
WAY, PLACE = whole(4), whole(4)
COST, NEXT, ABOUT = ONE, whole(2), whole(3)
TRY, BEFORE, FIRST = ONE, whole(2), whole(3)


@compiled
def worth_trying(
    places: Ints, starts: Ints, to: Ints, cost: Ints, plain: Ints, best: Ints, through: Ints, bits: Ints
) -> None:  # fmt: skip
    """For each way p-u from some places p the bits of the ways u-v that are no detour after it.

    `best` and `through` are room for p's next two legs.
    Only `plain` ways make a detour of others. With models about these are the legs of the lattice, so short that only what
    stands around p can bar them.
    """
    for p in places:
        for e in range(starts[p], starts[p + 1]):
            for f in range(starts[to[e]], starts[to[e] + 1]):
                best[to[f]] = NEVER
        for e in range(starts[p], starts[p + 1]):
            if plain[e]:
                best[to[e]], through[to[e]] = cost[e], -1
        best[p], through[p] = 0, -1
        for e in range(starts[p], starts[p + 1]):
            for f in range(starts[to[e]], starts[to[e] + 1]):
                v, there = to[f], cost[e] + cost[f]
                if plain[e] and plain[f] and (there < best[v] or (there == best[v] and to[e] < through[v])):
                    best[v], through[v] = there, to[e]
        for e in range(starts[p], starts[p + 1]):
            bits[e] = 0
            for f in range(starts[to[e]], starts[to[e] + 1]):
                there = cost[e] + cost[f] - best[to[f]]
                if there < 0 or (there == 0 and through[to[f]] == to[e]):
                    bits[e] |= 1 << min(f - starts[to[e]], LAST_BIT)


@compiled
def all_ways(place: int, places: Ints) -> Any:
    """The bits of all ways from a place."""
    count = places[PLACE * (place + ONE) + FIRST] - places[PLACE * place + FIRST]
    return ALL_BITS if count > LAST_BIT else (ONE << count) - ONE


@compiled
def begin(seeds: Ints, limit: int, count: int, heads: Ints, pool: Ints, places: Ints) -> Any:
    """An empty queue with the seeds in it; how much of the pool they take. Its entry 0 is the end of every list."""
    for place in range(count):
        places[4 * place], places[4 * place + 1] = limit + 1, 0
    for bucket in range((limit >> SHIFT) + 1):
        heads[bucket] = 0
    used = ONE
    for k in range(0, len(seeds), 2):
        place, there = seeds[k], seeds[k + 1]
        if there < places[PLACE * place]:
            places[PLACE * place], places[PLACE * place + BEFORE] = there, 0
            places[PLACE * place + TRY] = all_ways(place, places)
            pool[used + used], pool[used + used + ONE], heads[there >> SHIFT] = place, heads[there >> SHIFT], used
            used += ONE
    return used


@compiled
def spread(
    seeds: Ints, limit: int, count: int, ways: Ints, flags: Ints | None, numbers: Ints, xs: Floats, ys: Floats,
    barriers: Floats, heads: Ints, pool: Ints, places: Ints,
) -> int:  # fmt: skip
    """Dijkstra with buckets: the cheapest cost to every place, up to a limit. `seeds` holds places, each with its first cost.

    A place may be settled again if a short way inside its own bucket betters it, so the width of a bucket never matters to the
    answer. Other models may bar what makes a way a detour: around them all ways are tried. Returns how often a place was
    settled; -1 if the pool is too small.
    """
    used, free, settled = begin(seeds, limit, count, heads, pool, places), ONE - ONE, 0
    for bucket in range((limit >> SHIFT) + 1):
        while heads[bucket] > 0:
            entry = heads[bucket] + heads[bucket]
            place, heads[bucket], pool[entry + ONE], free = pool[entry], pool[entry + ONE], free, heads[bucket]
            here, bits = places[PLACE * place], places[PLACE * place + TRY]
            if here >> SHIFT != bucket or bits == 0:
                continue
            settled += 1
            places[PLACE * place + TRY] = 0
            first = places[PLACE * place + FIRST]
            while bits != 0:
                number = lowest_bit(bits)
                bits &= bits - ONE
                way = WAY * (first + number)
                if number == LAST_BIT and first + number + ONE < places[PLACE * (place + ONE) + FIRST]:
                    first, bits = first + ONE, ALL_BITS ^ (ALL_BITS >> ONE)
                other, there = ways[way], here + ways[way + COST]
                if there > places[PLACE * other]:
                    continue
                after = ways[way + NEXT]
                if flags is not None:  # with nobody about numba leaves this out
                    after = ways[way + ABOUT] if flags[place] == CLEAR else all_ways(other, places)
                    if flags[other] == TAKEN:
                        continue
                    if flags[place] == NEAR and is_barred(xs[place], ys[place], xs[other], ys[other], numbers[place], barriers):
                        continue
                waits = False
                if there == places[PLACE * other]:
                    waits = places[PLACE * other + TRY] != 0
                    after |= places[PLACE * other + TRY]
                else:
                    places[PLACE * other], places[PLACE * other + BEFORE] = there, place + ONE
                places[PLACE * other + TRY] = after
                if waits or after == 0:
                    continue
                entry = free
                if free > 0:
                    free = pool[entry + entry + ONE]
                else:
                    entry = used
                    used += ONE
                    if used + used > len(pool):
                        return -1
                pool[entry + entry], pool[entry + entry + ONE] = other, heads[there >> SHIFT]
                heads[there >> SHIFT] = entry
    return settled
