package dev.equipoise.app.experiment;

import dev.equipoise.protocol.ChannelKind;
import dev.equipoise.protocol.Execution;
import dev.equipoise.protocol.Method;
import dev.equipoise.protocol.Topology;

/** Where ranks are, and what is recorded of them: what that wants of the rest. */
final class ExecutionChecks {

    private final Choices choices;
    private final RunConfiguration configuration;
    private final Method method;

    ExecutionChecks(Choices choices) {
        this.choices = choices;
        this.configuration = choices.configuration();
        this.method = choices.configuration().method();
    }

    void check() {
        if (configuration.record()) {
            checkRecord();
        }
        if (!(configuration.execution() instanceof Execution.Virtual virtual)) {
            return;
        }
        int replicas = configuration.workers().replicas();
        choices.require(
                virtual.speeds().size() <= replicas,
                "execution",
                "must have no more speeds than there are replicas, %d".formatted(replicas));
        choices.require(
                configuration.channel() == ChannelKind.DIRECT,
                "channel",
                "must be direct, which is the default, in a virtual run, which has no channel");
        if (method.topology() instanceof Topology.AllReduce(var algorithm, var order)) {
            choices.require(
                    algorithm != Topology.Algorithm.HIERARCHICAL,
                    "topology/algorithm",
                    "must not be hierarchical in a virtual run, whose ranks are on no machines");
            choices.require(
                    order == Topology.Order.BY_RANK,
                    "topology/order",
                    "must be by-rank in a virtual run, whose links are given, not measured");
        }
    }

    private void checkRecord() {
        choices.require(
                configuration.execution() instanceof Execution.Real,
                "record",
                "must be false unless the execution is real: all others are the same each time");
        choices.require(
                !(method.topology() instanceof Topology.AllReduce(var algorithm, var _))
                        || algorithm != Topology.Algorithm.HIERARCHICAL,
                "record",
                "must be false over a hierarchical all-reduce, as a replay has not the machines");
    }
}
