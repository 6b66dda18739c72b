"""What every test starts from: Hypothesis with patience, and programs that hear Ctrl-C."""

import os
import signal

from hypothesis import HealthCheck, settings

# Hypothesis plays whole games: it must not mind how long that takes on a busy machine.
settings.register_profile("games", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True)
# It plays the same games each time, so that a change fails by its own fault; `explore` looks for new ones.
settings.register_profile("same", settings.get_profile("games"), derandomize=True)
settings.register_profile("explore", settings.get_profile("games"))
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))

# In the background of a shell, Ctrl-C is ignored, also by all that is started from there; some tests press it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
