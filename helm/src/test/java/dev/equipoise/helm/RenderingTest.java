package dev.equipoise.helm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class RenderingTest {

    @EveryRendering
    void objectsHaveDistinctKindsAndNames(Rendering rendering) {
        assertThat(rendering.manifests()).extracting(Manifest::toString).doesNotHaveDuplicates();
    }

    @Test
    void readerRejectsUnknownFields() {
        String pod = "{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {%s: 1}}";

        assertThat(ManifestReader.read(pod.formatted("terminationGracePeriodSeconds"))).hasSize(1);
        assertThatThrownBy(() -> ManifestReader.read(pod.formatted("terminationGraceSeconds")))
                .hasMessageContaining("terminationGraceSeconds");
    }
}
