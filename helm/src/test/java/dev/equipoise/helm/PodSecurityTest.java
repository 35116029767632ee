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

/** Pod Security "restricted", and somewhat more. */
class PodSecurityTest {

    private static final long FIRST_USER = 1;

    @EveryRendering
    void podsRunAsSomebodyWithoutPower(Rendering rendering) {
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
    void containersCannotGetAnyPower(Rendering rendering) {
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
                    // What the pod says of these holds.
                    assertThat(context.getRunAsNonRoot()).isNull();
                    assertThat(context.getRunAsUser()).isNull();
                    assertThat(context.getSeccompProfile()).isNull();
                });
    }

    @EveryRendering
    void podsSeeNothingOfTheirNode(Rendering rendering) {
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

    /** By the list of volumes that Pod Security knows, as far as the chart has them. */
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
    void nobodyTalksToKubernetes(Rendering rendering) {
        assertThat(rendering.all(ServiceAccount.class))
                .hasSize(1)
                .allMatch(account -> !account.getAutomountServiceAccountToken());
        assertThat(rendering.pods()).allMatch(pod -> !pod.spec().getAutomountServiceAccountToken());
    }

    /** EQUIPOISE_..., which Kubernetes makes of a service's name, would be settings. */
    @EveryRendering
    void nobodyIsToldOfServicesByTheEnvironment(Rendering rendering) {
        assertThat(rendering.pods()).allMatch(pod -> !pod.spec().getEnableServiceLinks());
    }

    @EveryRendering
    void containersSayWhatTheyNeedAndTheMostThatTheyTake(Rendering rendering) {
        assertThat(rendering.pods())
                .flatExtracting(PodTemplate::containers)
                .allSatisfy(container -> {
                    assertThat(container.getResources().getRequests())
                            .containsKeys("cpu", "memory");
                    assertThat(container.getResources().getLimits()).containsKey("memory");
                });
    }

    @EveryRendering
    void imagesAreThoseOfAVersion(Rendering rendering) {
        assertThat(rendering.pods())
                .flatExtracting(PodTemplate::containers)
                .extracting(Container::getImage)
                .allMatch(
                        image -> image.matches(".+:[-._a-zA-Z0-9]+") && !image.endsWith(":latest"));
    }

    /** The service and the agents write there, and their roots are read-only. */
    @EveryRendering
    void whatIsWrittenToIsAVolume(Rendering rendering) {
        assertThat(Stream.of("service", "agents").flatMap(name -> rendering.pods(name).stream()))
                .isNotEmpty()
                .allSatisfy(pod ->
                        assertThat(written(pod.container()))
                                .contains("/tmp", "/var/lib/equipoise"));
    }

    private static List<String> written(Container container) {
        return container.getVolumeMounts().stream()
                .filter(mount -> !Boolean.TRUE.equals(mount.getReadOnly()))
                .map(VolumeMount::getMountPath)
                .toList();
    }
}
