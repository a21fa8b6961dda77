"""Which tests of networkx itself the backend is known to fail, and why. A plugin of pytest: see `check`."""

import pytest

EXCEPTIONS = {
    "test_strongly_connected.py::TestStronglyConnected::test_condensation_mapping_and_members": (
        "It expects the numbers that components have in the order in which networkx finds them."
    ),
}


def pytest_collection_modifyitems(items):
    """Marks them. One that passes is an error, too: then it is to be removed here."""
    for item in items:
        for name, reason in EXCEPTIONS.items():
            if item.nodeid.endswith(name):
                item.add_marker(pytest.mark.xfail(reason=reason, strict=True))
