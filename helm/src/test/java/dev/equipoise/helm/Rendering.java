package dev.equipoise.helm;

import static java.util.stream.Collectors.toSet;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * The objects that the chart renders for some values.
 *
 * @param title name of the rendering in test reports
 * @param values overrides merged with the chart's own values
 */
record Rendering(String title, JsonNode values, List<Manifest> manifests) {

    private static final List<Rendering> ALL =
            Stream.concat(
                            Stream.of(of("the chart's own values", "{}", Map.of())),
                            Chart.valuesFiles().stream().map(Rendering::of))
                    .toList();

    /** Returns the renderings of the chart's own values and of each values file. */
    static List<Rendering> all() {
        return ALL;
    }

    static Rendering of(String values) {
        return of("these values", values, Map.of());
    }

    /** Renders values in a cluster with the given Secrets: JSON by name. */
    static Rendering of(String values, Map<String, String> secrets) {
        return of("these values", values, secrets);
    }

    /** Returns the rendering of a values file of the chart. */
    static Rendering named(String name) {
        return ALL.stream()
                .filter(rendering -> rendering.title.equals(name + "-values.yaml"))
                .findAny()
                .orElseThrow();
    }

    private static Rendering of(Path file) {
        try {
            return of(file.getFileName().toString(), Files.readString(file), Map.of());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static Rendering of(String title, String values, Map<String, String> secrets) {
        return new Rendering(
                title,
                Chart.values(values),
                ManifestReader.read(Chart.render(Chart.RELEASE, values, secrets)));
    }

    <T> List<T> all(Class<T> type) {
        return manifests.stream().flatMap(manifest -> manifest.as(type).stream()).toList();
    }

    <T> T only(Class<T> type) {
        return only(all(type), type.getSimpleName());
    }

    Set<String> names(String kind) {
        return manifests.stream()
                .filter(manifest -> manifest.kind().equals(kind))
                .map(Manifest::name)
                .collect(toSet());
    }

    Manifest manifest(String kind, String name) {
        return only(
                manifests.stream()
                        .filter(it -> it.kind().equals(kind) && it.name().equals(name))
                        .toList(),
                kind + " " + name);
    }

    List<PodTemplate> pods() {
        return manifests.stream().flatMap(Rendering::pods).toList();
    }

    List<PodTemplate> pods(String component) {
        return pods(pod -> pod.component().equals(component));
    }

    List<PodTemplate> pods(Predicate<PodTemplate> which) {
        return pods().stream().filter(which).toList();
    }

    /** Returns the only pod template of a component. */
    PodTemplate pod(String component) {
        return only(pods(component), "pod of " + component);
    }

    private static Stream<PodTemplate> pods(Manifest owner) {
        return switch (owner.model()) {
            case Deployment it -> Stream.of(pod(owner, it.getSpec().getTemplate(), Set.of()));
            case DaemonSet it -> Stream.of(pod(owner, it.getSpec().getTemplate(), Set.of()));
            case StatefulSet it ->
                    Stream.of(
                            pod(
                                    owner,
                                    it.getSpec().getTemplate(),
                                    it.getSpec().getVolumeClaimTemplates().stream()
                                            .map(PersistentVolumeClaim::getMetadata)
                                            .map(ObjectMeta::getName)
                                            .collect(toSet())));
            case Pod it ->
                    Stream.of(new PodTemplate(owner, it.getMetadata(), it.getSpec(), Set.of()));
            default -> Stream.empty();
        };
    }

    private static PodTemplate pod(Manifest owner, PodTemplateSpec template, Set<String> claims) {
        return new PodTemplate(owner, template.getMetadata(), template.getSpec(), claims);
    }

    private static <T> T only(List<T> all, String what) {
        if (all.size() != 1) {
            throw new IllegalStateException(
                    "%d objects match %s: 1 expected".formatted(all.size(), what));
        }
        return all.getFirst();
    }

    @Override
    public String toString() {
        return title;
    }
}
