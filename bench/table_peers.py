"""The peers of the table's kernels, each asked the same questions as far as it can answer them."""

from collections.abc import Callable
from typing import Any

import numpy as np

from bench.table_speed import RAYS, queries, standing_place
from wardogs.table.ground import STEP
from wardogs.table.model import Map
from wardogs.table.modes import WALK
from wardogs.table.reach import graph_of
from wardogs.table.terrain import Terrain


def embree(table: Map, count: int, prepared: bool = True) -> Callable[[], Any]:
    """Embree's any-hit query against the panels as triangles; prepared: rays are already laid out as it wants them."""
    from embreex import rtcore_scene
    from embreex.mesh_construction import TriangleMesh

    corners = []
    for p in Terrain.of(table).panels:
        a, b, c, d = (*p.a, p.bottom), (*p.b, p.bottom), (*p.b, p.top), (*p.a, p.top)
        corners += [(a, b, c), (a, c, d)]
    scene = rtcore_scene.EmbreeScene()
    mesh = TriangleMesh(scene, np.array(corners, dtype=np.float32))
    eyes, points = (part.astype(np.float32) for part in queries(count))

    def rays() -> tuple[Any, Any, Any]:
        origins = np.repeat(eyes, RAYS, axis=0)
        return origins, points.reshape(-1, 3) - origins, np.ones(count * RAYS, dtype=np.float32)

    ready = rays()
    kept = (scene, mesh)

    def run() -> Any:
        origins, directions, far = ready if prepared else rays()
        return kept[0].run(origins, directions, far, query="OCCLUDED")

    return run


def shapely_tree(table: Map, count: int) -> Callable[[], Any]:
    """shapely's STRtree in plan, one bulk query of all rays; it knows no heights."""
    import shapely

    lines = [shapely.LineString([p.a, p.b]) for p in Terrain.of(table).panels]
    tree = shapely.STRtree(lines)
    eyes, points = queries(count)
    ends = np.empty((count * RAYS, 2, 2))
    ends[:, 0], ends[:, 1] = np.repeat(eyes[:, :2], RAYS, axis=0), points.reshape(-1, 3)[:, :2]
    return lambda: tree.query(shapely.linestrings(ends), predicate="intersects")


def scipy_dijkstra(table: Map) -> Callable[[], Any]:
    """scipy's Dijkstra on our own graph, prebuilt as a sparse matrix: the same places, legs and links."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import dijkstra

    graph = graph_of(table, WALK)
    starts, to, cost = (np.asarray(part).astype(np.int32) for part in graph.links)
    matrix = csr_array((cost.astype(float), to, starts), shape=(graph.size, graph.size))
    source = graph.node(0, standing_place(table)[:2])
    return lambda: dijkstra(matrix, directed=True, indices=source)


def tcod_dijkstra(table: Map) -> Callable[[], Any]:
    """tcod's dijkstra2d over the ground's half-inch cells, eight directions, walls as cells that cannot be entered."""
    import tcod.path

    graph = graph_of(table, WALK)
    ground = graph.surfaces[0]
    ways = np.diff(np.asarray(graph.links[0]).astype(np.int64))[: ground.size]
    free = (ways > 0).reshape(ground.rows, ground.columns).astype(np.int32)
    x, y, _ = standing_place(table)
    column, row = round(1000 * x / STEP), round(1000 * y / STEP)

    def run() -> Any:
        distance = tcod.path.maxarray((ground.rows, ground.columns), dtype=np.int32)
        distance[row, column] = 0
        return tcod.path.dijkstra2d(distance, free, 500, 707, out=distance)

    return run
