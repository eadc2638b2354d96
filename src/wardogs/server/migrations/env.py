"""Runs the migrations over the engine that the server has opened."""

from alembic import context

from wardogs.server.tables import metadata

engine = context.config.attributes["engine"]
with engine.begin() as connection:
    context.configure(connection=connection, target_metadata=metadata, render_as_batch=True, transaction_per_migration=False)
    context.run_migrations()
