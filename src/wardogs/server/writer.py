"""The one thread that writes. What many games want written at the same moment goes to the disk in one commit.

A job is a function of a connection. The jobs that wait are run in one transaction; who waits is told after the commit.
If one of them fails, all are rolled back and each is run again in a transaction of its own, so that none suffers for
another.
"""

from __future__ import annotations

import asyncio
import logging
import queue
import threading
import time
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError, OperationalError

T = TypeVar("T")
MOST = 500  # jobs in one commit
ENOUGH = 25  # jobs that are worth a commit of their own
TRIES = 6  # to reach a database that has gone away, over some seconds

log = logging.getLogger("wardogs.writer")


class Job(NamedTuple):
    do: Callable[[Connection], Any]
    loop: asyncio.AbstractEventLoop
    done: asyncio.Future[Any]


class Writer:
    def __init__(self, engine: Engine, last: Callable[[Connection], None] = lambda _: None) -> None:
        self.engine, self.last = engine, last  # what is done at the end of every transaction
        self.jobs: queue.SimpleQueue[list[Job] | None] = queue.SimpleQueue()
        self._waiting: dict[asyncio.AbstractEventLoop, list[Job]] = {}
        self.commits = self.written = self.connections = 0
        self._connection: Connection | None = None
        self.backend = 0  # of PostgreSQL, that writes for us
        self.thread = threading.Thread(target=self._run, name="writer", daemon=True)
        self.thread.start()

    async def write(self, do: Callable[[Connection], T]) -> T:
        """Run a job; when this returns, what it wrote is on the disk."""
        loop = asyncio.get_running_loop()
        done: asyncio.Future[T] = loop.create_future()
        waiting = self._waiting.setdefault(loop, [])
        waiting.append(Job(do, loop, done))
        if len(waiting) == 1:
            loop.call_soon(self._hand_over, loop)  # behind all that it is about to do: the busier it is, the more come along
        elif len(waiting) == ENOUGH:
            self._hand_over(loop)
        try:
            return await done
        finally:
            del done, waiting  # a failure holds on to all that it passes through, and the future to the failure

    def _hand_over(self, loop: asyncio.AbstractEventLoop) -> None:
        if jobs := self._waiting.pop(loop, None):
            self.jobs.put(jobs)

    def close(self) -> None:
        """After the last job that is waiting now."""
        for loop in list(self._waiting):
            self._hand_over(loop)
        self.jobs.put(None)
        self.thread.join()

    def _run(self) -> None:
        while (first := self.jobs.get()) is not None:
            jobs, last = self._gather(first)
            results = self._together(jobs)
            self.commits += 1
            self.written += len(jobs)
            _tell(results)
            if last:
                break
        if self._connection is not None:
            self._connection.close()

    def _gather(self, first: list[Job]) -> tuple[list[Job], bool]:
        jobs = list(first)
        while len(jobs) < MOST:
            try:
                more = self.jobs.get_nowait()
            except queue.Empty:
                break
            if more is None:
                return jobs, True
            jobs += more
        return jobs, False

    def _together(self, jobs: list[Job]) -> list[tuple[Job, Any]]:
        try:
            return list(zip(jobs, self._commit(jobs), strict=True))
        except Exception as error:
            if len(jobs) > 1:
                log.info("a commit of %s jobs failed (%s): each on its own", len(jobs), type(error).__name__)
        return [(job, self._alone(job)) for job in jobs]  # out here, for a failure holds on to the one it is raised beside

    def _commit(self, jobs: list[Job]) -> list[Any]:
        connection = self._connection = self._connection or self._connect()
        try:
            with connection.begin():
                results = [job.do(connection) for job in jobs]
                self.last(connection)
        except BaseException:
            self._connection = None
            connection.close()
            raise
        return results

    def _connect(self) -> Connection:
        connection = self.engine.connect().execution_options(writes=True)
        connection.info.clear()
        self.connections += 1
        driver: Any = connection.connection.driver_connection
        self.backend = driver.info.backend_pid if connection.dialect.name == "postgresql" else 0
        return connection

    def _alone(self, job: Job) -> Any:
        """Its result, or what it raised."""
        for again in range(TRIES):
            try:
                return self._commit([job])[0]
            except OperationalError as error:
                if again == TRIES - 1:
                    return _failed(error)
                time.sleep(0.05 * 2**again)
            except DBAPIError as error:
                if not error.connection_invalidated or again == TRIES - 1:
                    return _failed(error)
            except Exception as error:
                return _failed(error)
        raise AssertionError


class _Failed(NamedTuple):
    error: Exception


def _failed(error: Exception) -> _Failed:
    """Without the way it came, which holds on to the job, and so to who waits for it."""
    return _Failed(error.with_traceback(None))


def _tell(results: list[tuple[Job, Any]]) -> None:
    """All who wait on one loop, in one call."""
    by_loop: dict[asyncio.AbstractEventLoop, list[tuple[Job, Any]]] = {}
    for job, result in results:
        by_loop.setdefault(job.loop, []).append((job, result))
    for loop, those in by_loop.items():
        try:
            loop.call_soon_threadsafe(_settle, those)
        except RuntimeError:  # the loop is closed: nobody waits any more
            log.debug("nobody waits for %s results", len(those))


def _settle(results: list[tuple[Job, Any]]) -> None:
    for job, result in results:
        if job.done.done():
            continue
        if isinstance(result, _Failed):
            job.done.set_exception(result.error)
        else:
            job.done.set_result(result)
