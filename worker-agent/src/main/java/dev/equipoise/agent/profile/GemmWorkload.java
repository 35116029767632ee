package dev.equipoise.agent.profile;

import dev.equipoise.agent.network.Gemm;
import dev.equipoise.agent.network.step.Backend;
import dev.equipoise.agent.time.Throttle;

/** Matrix products at the throttled speed of the worker. */
final class GemmWorkload implements Workload {

    private final Throttle throttle;
    private final Backend backend;
    private Gemm gemm;

    GemmWorkload(Throttle throttle, Backend backend) {
        this.throttle = throttle;
        this.backend = backend;
        this.gemm = new Gemm(1, backend);
    }

    @Override
    public Runnable at(int size) {
        gemm.close();
        gemm = new Gemm(size, backend);
        return this::multiply;
    }

    @Override
    public void close() {
        gemm.close();
    }

    private void multiply() {
        throttle.begin();
        gemm.run();
        throttle.end();
    }
}
