package dev.equipoise.helm;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.PodSecurityContext;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.SecurityContext;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeMount;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** Checks the Pod Security level "restricted", and more. */
class PodSecurityTest {

    private static final long FIRST_USER = 1;

    @EveryRendering
    void podsRunAsAnUnprivilegedUser(Rendering rendering) {
        assertThat(rendering.pods())
                .isNotEmpty()
                .allSatisfy(pod -> {
                    PodSecurityContext context = pod.spec().getSecurityContext();
                    assertThat(context.getRunAsNonRoot()).isTrue();
                    assertThat(context.getRunAsUser()).isGreaterThanOrEqualTo(FIRST_USER);
                    assertThat(context.getRunAsGroup()).isGreaterThanOrEqualTo(FIRST_USER);
                    assertThat(context.getSeccompProfile().getType()).isEqualTo("RuntimeDefault");
                    assertThat(context.getSysctls()).isEmpty();
                });
    }

    @EveryRendering
    void containersCannotEscalatePrivileges(Rendering rendering) {
        assertThat(rendering.pods())
                .flatExtracting(PodTemplate::containers)
                .allSatisfy(container -> {
                    SecurityContext context = container.getSecurityContext();
                    assertThat(context.getAllowPrivilegeEscalation()).isFalse();
                    assertThat(context.getReadOnlyRootFilesystem()).isTrue();
                    assertThat(context.getCapabilities().getDrop()).containsExactly("ALL");
                    assertThat(context.getCapabilities().getAdd()).isEmpty();
                    assertThat(context.getPrivileged()).isNotEqualTo(true);
                    assertThat(context.getProcMount()).isNull();
                    // The pod's settings apply.
                    assertThat(context.getRunAsNonRoot()).isNull();
                    assertThat(context.getRunAsUser()).isNull();
                    assertThat(context.getSeccompProfile()).isNull();
                });
    }

    @EveryRendering
    void podsHaveNoAccessToTheirNode(Rendering rendering) {
        assertThat(rendering.pods())
                .allSatisfy(pod -> {
                    PodSpec spec = pod.spec();
                    assertThat(
                                    Stream.of(
                                                    spec.getHostNetwork(),
                                                    spec.getHostPID(),
                                                    spec.getHostIPC())
                                            .filter(Objects::nonNull))
                            .isEmpty();
                    assertThat(spec.getVolumes()).allMatch(PodSecurityTest::isRestricted);
                    assertThat(pod.containers())
                            .flatExtracting(Container::getPorts)
                            .extracting(ContainerPort::getHostPort)
                            .allMatch(Objects::isNull);
                });
    }

    /** Returns whether Pod Security permits the volume; checks the types that the chart uses. */
    private static boolean isRestricted(Volume volume) {
        return Stream.of(
                                volume.getEmptyDir(),
                                volume.getSecret(),
                                volume.getProjected(),
                                volume.getPersistentVolumeClaim())
                        .filter(Objects::nonNull)
                        .count()
                == 1;
    }

    @EveryRendering
    void podsHaveNoServiceAccountToken(Rendering rendering) {
        assertThat(rendering.all(ServiceAccount.class))
                .hasSize(1)
                .allMatch(account -> !account.getAutomountServiceAccountToken());
        assertThat(rendering.pods()).allMatch(pod -> !pod.spec().getAutomountServiceAccountToken());
    }

    /**
     * Kubernetes would derive variables EQUIPOISE_... from the service's name, and these would be
     * settings.
     */
    @EveryRendering
    void podsHaveNoServiceLinks(Rendering rendering) {
        assertThat(rendering.pods()).allMatch(pod -> !pod.spec().getEnableServiceLinks());
    }

    @EveryRendering
    void containersHaveRequestsAndAMemoryLimit(Rendering rendering) {
        assertThat(rendering.pods())
                .flatExtracting(PodTemplate::containers)
                .allSatisfy(container -> {
                    assertThat(container.getResources().getRequests())
                            .containsKeys("cpu", "memory");
                    assertThat(container.getResources().getLimits()).containsKey("memory");
                });
    }

    @EveryRendering
    void imagesHaveAVersionTag(Rendering rendering) {
        assertThat(rendering.pods())
                .flatExtracting(PodTemplate::containers)
                .extracting(Container::getImage)
                .allMatch(
                        image -> image.matches(".+:[-._a-zA-Z0-9]+") && !image.endsWith(":latest"));
    }

    /**
     * The service and the agents write to these folders, and their root file systems are read-only.
     */
    @EveryRendering
    void writtenFoldersAreVolumes(Rendering rendering) {
        assertThat(Stream.of("service", "agents").flatMap(name -> rendering.pods(name).stream()))
                .isNotEmpty()
                .allSatisfy(pod ->
                        assertThat(writable(pod.container()))
                                .contains("/tmp", "/var/lib/equipoise"));
    }

    private static List<String> writable(Container container) {
        return container.getVolumeMounts().stream()
                .filter(mount -> !Boolean.TRUE.equals(mount.getReadOnly()))
                .map(VolumeMount::getMountPath)
                .toList();
    }
}
