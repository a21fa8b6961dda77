"""As many random graphs as the issue of the package asks for, the same ones each time."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "ci", max_examples=500, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck), database=None
)
settings.load_profile("ci")
