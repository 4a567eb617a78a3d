"""Contract wallets sign in to the portal: their accounts are written with their chain, ``eip155:8453:0x…``."""

from alembic import op

revision = "contract_wallets"
down_revision = "members"

# By the constraints' names: the table of members was called otherwise. Colons are in brackets, or they would be taken
# for parameters.
_STATEMENT = r"""
    DO $do$
    DECLARE
        found record;
    BEGIN
        FOR found IN
            SELECT conname AS name, conrelid::regclass AS place FROM pg_constraint
            WHERE conname IN (
                'portal_sessions_address_check', 'portal_owners_address_check', 'portal_invitations_address_check'
            )
        LOOP
            EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', found.place, found.name);
            EXECUTE format(
                'ALTER TABLE %s ADD CONSTRAINT %I CHECK (length(address) = 42 OR address ~ %L)',
                found.place, found.name, '\Aeip155[:][1-9][0-9]*[:]0x[0-9a-fA-F]{40}\Z'
            );
        END LOOP;
    END
    $do$
"""


def upgrade() -> None:
    op.execute(_STATEMENT)
