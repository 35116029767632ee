package dev.equipoise.helm;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServicePort;
import io.fabric8.kubernetes.api.model.networking.v1.Ingress;
import io.fabric8.kubernetes.api.model.networking.v1.IngressServiceBackend;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyIngressRule;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Checks that all references to ports resolve. */
class PortTest {

    private static final int MAX_PORT_NAME_LENGTH = 15;

    @EveryRendering
    void portsHaveDistinctNames(Rendering rendering) {
        assertThat(rendering.pods())
                .allSatisfy(pod ->
                        assertThat(pod.containers())
                                .flatExtracting(Container::getPorts)
                                .extracting(ContainerPort::getName)
                                .doesNotContainNull()
                                .doesNotHaveDuplicates()
                                .allMatch(name -> name.length() <= MAX_PORT_NAME_LENGTH));
    }

    @EveryRendering
    void probesNamePortsOfTheirPod(Rendering rendering) {
        assertThat(rendering.pods())
                .filteredOn(pod -> !pod.component().equals("test"))
                .allSatisfy(pod -> {
                    assertThat(pod.probes()).hasSize(3);
                    assertThat(pod.probes()).flatMap(PortTest::portOf).isSubsetOf(pod.portNames());
                });
    }

    private static List<String> portOf(Probe probe) {
        if (probe.getHttpGet() != null) {
            return List.of(probe.getHttpGet().getPort().getStrVal());
        }
        return probe.getTcpSocket() != null
                ? List.of(probe.getTcpSocket().getPort().getStrVal())
                : List.of();
    }

    @EveryRendering
    void servicesTargetPortsOfAllTheirPods(Rendering rendering) {
        assertThat(rendering.all(Service.class))
                .isNotEmpty()
                .allSatisfy(service -> {
                    Map<String, String> selector = service.getSpec().getSelector();
                    Set<String> targets =
                            service.getSpec().getPorts().stream()
                                    .map(ServicePort::getTargetPort)
                                    .map(IntOrString::getStrVal)
                                    .collect(toSet());
                    assertThat(rendering.pods(it -> it.isSelectedBy(selector)))
                            .isNotEmpty()
                            .allMatch(pod -> pod.portNames().containsAll(targets));
                });
    }

    @EveryRendering
    void ingressTargetsAPortOfAService(Rendering rendering) {
        assertThat(rendering.all(Ingress.class))
                .allSatisfy(ingress ->
                        assertThat(ingress.getSpec().getRules())
                                .flatExtracting(rule -> rule.getHttp().getPaths())
                                .extracting(path -> path.getBackend().getService())
                                .hasSize(1)
                                .allMatch(backend -> exists(backend, rendering)));
    }

    private static boolean exists(IngressServiceBackend backend, Rendering rendering) {
        return rendering.all(Service.class).stream()
                .filter(it -> it.getMetadata().getName().equals(backend.getName()))
                .flatMap(it -> it.getSpec().getPorts().stream())
                .anyMatch(port -> port.getName().equals(backend.getPort().getName()));
    }

    @EveryRendering
    void networkPoliciesNamePortsOfTheirPods(Rendering rendering) {
        assertThat(rendering.all(NetworkPolicy.class))
                .allSatisfy(policy -> {
                    Map<String, String> selector =
                            policy.getSpec().getPodSelector().getMatchLabels();
                    Set<String> ports =
                            policy.getSpec().getIngress().stream()
                                    .map(NetworkPolicyIngressRule::getPorts)
                                    .flatMap(List::stream)
                                    .map(port -> port.getPort().getStrVal())
                                    .collect(toSet());
                    assertThat(rendering.pods(it -> it.isSelectedBy(selector)))
                            .isNotEmpty()
                            .allMatch(pod -> pod.portNames().containsAll(ports));
                });
    }

    @EveryRendering
    void monitorsNameExistingPorts(Rendering rendering) {
        assertThat(rendering.manifests())
                .filteredOn(it -> it.model() instanceof Monitor)
                .allSatisfy(it -> {
                    Monitor monitor = it.as(Monitor.class).orElseThrow();
                    Map<String, String> selector = monitor.spec().selector().getMatchLabels();
                    Set<String> ports =
                            it.kind().equals("ServiceMonitor")
                                    ? servicePorts(rendering, selector)
                                    : podPorts(rendering, selector);
                    assertThat(monitor.spec().all())
                            .isNotEmpty()
                            .allMatch(endpoint -> ports.contains(endpoint.port()));
                });
    }

    private static Set<String> servicePorts(Rendering rendering, Map<String, String> selector) {
        return rendering.all(Service.class).stream()
                .filter(it ->
                        it.getMetadata().getLabels().entrySet().containsAll(selector.entrySet()))
                .flatMap(it -> it.getSpec().getPorts().stream())
                .map(ServicePort::getName)
                .collect(toSet());
    }

    private static Set<String> podPorts(Rendering rendering, Map<String, String> selector) {
        return rendering.pods(it -> it.isSelectedBy(selector)).stream()
                .flatMap(pod -> pod.portNames().stream())
                .collect(toSet());
    }
}
