package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServiceEndpointTest {

    private static final URI LAB = URI.create("https://lab/equipoise");

    @TempDir private Path folder;

    @Test
    void unusableFileOfAuthoritiesIsToldWithTheOption() {
        Path file = folder.resolve("ca.pem");

        assertThatThrownBy(() -> new ServiceEndpoint(LAB, file).trust())
                .isInstanceOf(UsageError.class)
                .hasMessage(
                        "cannot use the certificate authorities of %s: it does not exist; --ca"
                                + " names another file",
                        file);
    }

    @Test
    void endpointsOfOneServiceAreEqual() {
        assertThat(new ServiceEndpoint(URI.create(LAB + "/"), Path.of("")))
                .isEqualTo(new ServiceEndpoint(LAB, null));
        assertThat(new ServiceEndpoint(LAB, Path.of("tls/../ca.pem")).ca())
                .isEqualTo(Path.of("ca.pem").toAbsolutePath());
    }
}
