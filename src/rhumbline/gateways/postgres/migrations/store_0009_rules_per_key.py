"""A key's own fee rule; null where its integrator's holds."""

from alembic import op

revision = "rules_per_key"
down_revision = "direct_calls"


def upgrade() -> None:
    op.execute(
        """
        ALTER TABLE api_keys
            ADD COLUMN service_share numeric CHECK (service_share >= 0 AND service_share < 1),
            ADD COLUMN largest_integrator_share numeric
                CHECK (largest_integrator_share >= 0 AND largest_integrator_share <= 0.1),
            ADD CHECK ((service_share IS NULL) = (largest_integrator_share IS NULL))
        """
    )
