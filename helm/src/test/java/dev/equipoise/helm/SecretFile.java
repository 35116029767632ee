package dev.equipoise.helm;

import io.fabric8.kubernetes.api.model.KeyToPath;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeMount;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * A value of a Secret that is mounted into a pod.
 *
 * @param path of the file in the pod
 */
record SecretFile(String secret, String key, String path) {

    static List<SecretFile> all(PodTemplate pod) {
        return pod.containers().stream()
                .flatMap(container -> container.getVolumeMounts().stream())
                .filter(mount -> !pod.claims().contains(mount.getName()))
                .flatMap(mount -> files(mount, pod.volume(mount.getName())))
                .toList();
    }

    private static Stream<SecretFile> files(VolumeMount mount, Volume volume) {
        if (volume.getSecret() != null) {
            return files(mount, volume.getSecret().getSecretName(), volume.getSecret().getItems());
        }
        if (volume.getProjected() != null) {
            return volume.getProjected().getSources().stream()
                    .map(source -> source.getSecret())
                    .flatMap(secret -> files(mount, secret.getName(), secret.getItems()));
        }
        return Stream.empty();
    }

    private static Stream<SecretFile> files(
            VolumeMount mount, String secret, List<KeyToPath> items) {
        return items.stream()
                .map(item ->
                        new SecretFile(
                                secret,
                                item.getKey(),
                                Path.of(mount.getMountPath(), item.getPath()).toString()));
    }
}
