package dev.equipoise.helm;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.Volume;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Pod template of an object.
 *
 * @param owner the object that creates the pods
 * @param claims names of the volumes that are created for each pod
 */
record PodTemplate(Manifest owner, ObjectMeta metadata, PodSpec spec, Set<String> claims) {

    Map<String, String> labels() {
        return metadata.getLabels();
    }

    String component() {
        return labels().getOrDefault("app.kubernetes.io/component", "");
    }

    /** Returns the containers and the init containers. */
    List<Container> containers() {
        return Stream.concat(spec.getContainers().stream(), spec.getInitContainers().stream())
                .toList();
    }

    /** Returns the only container. */
    Container container() {
        if (containers().size() != 1) {
            throw new IllegalStateException(
                    "%s has %d containers: 1 expected".formatted(this, containers().size()));
        }
        return containers().getFirst();
    }

    Set<String> portNames() {
        return containers().stream()
                .flatMap(container -> container.getPorts().stream())
                .map(ContainerPort::getName)
                .collect(Collectors.toSet());
    }

    List<Probe> probes() {
        return containers().stream()
                .flatMap(container ->
                        Stream.of(
                                container.getStartupProbe(),
                                container.getLivenessProbe(),
                                container.getReadinessProbe()))
                .filter(Objects::nonNull)
                .toList();
    }

    Volume volume(String name) {
        return spec.getVolumes().stream()
                .filter(volume -> volume.getName().equals(name))
                .findAny()
                .orElseThrow();
    }

    boolean isSelectedBy(Map<String, String> selector) {
        return !selector.isEmpty() && labels().entrySet().containsAll(selector.entrySet());
    }

    @Override
    public String toString() {
        return "pod of " + owner;
    }
}
