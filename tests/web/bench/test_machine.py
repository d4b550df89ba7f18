"""Who spent the processors' time: this process, its children, others."""

import subprocess
import sys
import time

from web.bench.machine import Meter

_SPIN = "import time\nprint(flush=True)\nwhile time.process_time() < 60: pass"


def test_own_work_is_the_clients() -> None:
    meter = Meter()
    until = time.process_time() + 0.4
    while time.process_time() < until:
        pass
    shares = meter.read()
    assert shares.clients > 0.1
    assert shares.server < shares.clients / 2


def test_a_childs_work_is_the_servers() -> None:
    with subprocess.Popen([sys.executable, "-c", _SPIN], stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        child.stdout.readline()
        meter = Meter()
        time.sleep(0.6)
        shares = meter.read()
        child.kill()
    assert shares.server > 0.1
    assert shares.clients < shares.server / 2
