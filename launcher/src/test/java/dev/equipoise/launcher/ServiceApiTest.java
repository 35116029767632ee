package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ServiceApiTest {

    @ParameterizedTest
    @CsvSource({
        "http://lab:8080, http://lab:8080",
        "http://lab:8080/, http://lab:8080",
        "https://lab/equipoise, https://lab/equipoise",
        "https://lab/shared/equipoise/, https://lab/shared/equipoise"
    })
    void pathOfTheServicePrecedesThatOfTheApi(String url, String base) {
        URI service = Connection.address(url);

        assertThat(ServiceApi.below(service, "/api/v1/runs?limit=1"))
                .hasToString(base + "/api/v1/runs?limit=1");
        assertThat(new ServiceEndpoint(URI.create(url), null).address()).hasToString(base);
        assertThat(DashboardAddress.ofRun(service, "7a3f")).isEqualTo(base + "/runs/7a3f");
        assertThat(DashboardAddress.ofComparison(service, List.of("7a3f")))
                .startsWith(base + "/compare?runs=");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "lab:8080",
                "https://lab/?token=secret",
                "https://ann:secret@lab",
                "https://lab/a/../b"
            })
    void otherAddressesAreRejectedWithoutTheirSecrets(String url) {
        assertThatThrownBy(() -> Connection.address(url))
                .isInstanceOf(UsageError.class)
                .hasMessageStartingWith(
                        "the URL of the service must be an http or https address without user,")
                .hasMessageNotContaining("secret");
    }
}
