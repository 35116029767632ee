package dev.equipoise.app.experiment;

import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.protocol.ChannelKind;
import dev.equipoise.protocol.Execution;
import dev.equipoise.protocol.Method;
import dev.equipoise.protocol.Topology;

/** Checks what the execution and the recording require of the other choices. */
final class ExecutionChecks {

    private final ValidationContext context;
    private final RunConfiguration configuration;
    private final Method method;

    ExecutionChecks(ValidationContext context) {
        this.context = context;
        this.configuration = context.configuration();
        this.method = context.configuration().method();
    }

    void check() {
        if (configuration.instrumentation().record()) {
            checkRecord();
        }
        if (!(configuration.execution() instanceof Execution.Virtual virtual)) {
            return;
        }
        int replicas = configuration.workers().replicas();
        context.require(
                virtual.speeds().size() <= replicas,
                "execution",
                "must have no more speeds than there are replicas, %d".formatted(replicas));
        context.require(
                configuration.channel() == ChannelKind.DIRECT,
                "channel",
                "must be direct, the default, in a virtual run, which has no channel");
        if (method.topology() instanceof Topology.AllReduce(var algorithm, var order)) {
            context.require(
                    algorithm != Topology.Algorithm.HIERARCHICAL,
                    "topology/algorithm",
                    "must not be hierarchical in a virtual run, whose ranks have no hosts");
            context.require(
                    order == Topology.RingOrder.BY_RANK,
                    "topology/order",
                    "must be by-rank in a virtual run, whose links are not measured");
        }
    }

    private void checkRecord() {
        context.require(
                configuration.execution() instanceof Execution.Real,
                "record",
                "must be false unless the execution is real: other executions are deterministic");
        context.require(
                !(method.topology() instanceof Topology.AllReduce(var algorithm, var _))
                        || algorithm != Topology.Algorithm.HIERARCHICAL,
                "record",
                "must be false over a hierarchical all-reduce, since a replay has no hosts");
    }
}
