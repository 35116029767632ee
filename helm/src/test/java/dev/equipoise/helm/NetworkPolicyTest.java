package dev.equipoise.helm;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPeer;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicySpec;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class NetworkPolicyTest {

    private static final String INGRESS = "namespace ingress-nginx";
    private static final String MONITORING = "namespace monitoring";

    private final Rendering own = Rendering.of("{}");

    @EveryRendering
    void onePolicyCoversEveryPodIfEnabled(Rendering rendering) {
        boolean wanted = rendering.values().at("/networkPolicy/enabled").asBoolean();

        assertThat(rendering.pods())
                .allSatisfy(pod ->
                        assertThat(policies(rendering, pod))
                                .hasSize(wanted ? 1 : 0)
                                .allMatch(it -> it.getPolicyTypes().contains("Ingress")));
    }

    /** A rule without peers or ports would apply to all peers or all ports. */
    @EveryRendering
    void everyRuleNamesPeersAndPorts(Rendering rendering) {
        assertThat(rendering.all(NetworkPolicy.class))
                .flatExtracting(policy -> policy.getSpec().getIngress())
                .allSatisfy(rule -> {
                    assertThat(rule.getFrom()).isNotEmpty();
                    assertThat(rule.getPorts()).isNotEmpty();
                });
    }

    @Test
    void onlyAgentsReachAgents() {
        assertThat(callers(own, "agents", "hazelcast")).containsExactly("agents");
        assertThat(callers(own, "agents", "data")).containsExactly("agents");
    }

    @Test
    void agentsTestAndIngressReachTheService() {
        assertThat(callers(own, "service", "http"))
                .containsExactlyInAnyOrder("agents", "test", INGRESS);
    }

    @Test
    void monitoringReachesTheMetrics() {
        assertThat(callers(own, "service", "management"))
                .containsExactlyInAnyOrder("test", MONITORING);
        assertThat(callers(own, "agents", "status")).containsExactly(MONITORING);
    }

    @Test
    void onlyTheServiceReachesTheDatabaseWhichHasNoEgress() {
        assertThat(callers(own, "database", "postgresql")).containsExactly("service");
        assertThat(policies(own, own.pod("database")))
                .allMatch(it -> it.getPolicyTypes().contains("Egress") && it.getEgress().isEmpty());
    }

    @Test
    void closedValuesAdmitNoOtherNamespace() {
        Rendering closed = Rendering.named("closed");

        assertThat(callers(closed, "service", "http")).containsExactlyInAnyOrder("agents", "test");
        assertThat(callers(closed, "service", "management")).containsExactly("test");
        assertThat(callers(closed, "agents", "status")).isEmpty();
    }

    private static List<NetworkPolicySpec> policies(Rendering rendering, PodTemplate pod) {
        return rendering.all(NetworkPolicy.class).stream()
                .map(NetworkPolicy::getSpec)
                .filter(policy -> pod.isSelectedBy(policy.getPodSelector().getMatchLabels()))
                .toList();
    }

    private static Set<String> callers(Rendering rendering, String component, String port) {
        return policies(rendering, rendering.pod(component)).stream()
                .flatMap(policy -> policy.getIngress().stream())
                .filter(rule ->
                        rule.getPorts().stream()
                                .anyMatch(it -> port.equals(it.getPort().getStrVal())))
                .flatMap(rule -> rule.getFrom().stream())
                .flatMap(peer -> names(rendering, peer))
                .collect(toSet());
    }

    private static Stream<String> names(Rendering rendering, NetworkPolicyPeer peer) {
        if (peer.getPodSelector() == null) {
            LabelSelector namespace = peer.getNamespaceSelector();
            return namespace.getMatchLabels().values().stream().map("namespace "::concat);
        }
        assertThat(peer.getNamespaceSelector()).isNull();
        return rendering
                .pods(it -> it.isSelectedBy(peer.getPodSelector().getMatchLabels()))
                .stream()
                .map(PodTemplate::component);
    }
}
