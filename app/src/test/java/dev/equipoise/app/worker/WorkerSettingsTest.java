package dev.equipoise.app.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.equipoise.app.problem.ExceptionText;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

class WorkerSettingsTest {

    private static WorkerSettings bound(Map<String, String> properties) {
        return new Binder(new MapConfigurationPropertySource(properties))
                .bindOrCreate("equipoise.worker", WorkerSettings.class);
    }

    @Test
    void defaultsApplyWithoutProperties() {
        assertThat(bound(Map.of()))
                .isEqualTo(
                        new WorkerSettings(
                                null,
                                Duration.ofSeconds(10),
                                Duration.ofDays(7),
                                Duration.ofSeconds(10),
                                Duration.ofMinutes(10),
                                Duration.ofHours(24),
                                Duration.ofMinutes(2),
                                Duration.ofDays(30)));
    }

    @Test
    void clusterNameMustNotBeBlank() {
        Throwable refused =
                catchThrowable(() -> bound(Map.of("equipoise.worker.cluster-name", " ")));

        assertThat(ExceptionText.innermost(refused))
                .isEqualTo(
                        "equipoise.worker.cluster-name must not be blank: remove it for a random name");
    }

    @Test
    void absenceMustNotBeShorterThanSilence() {
        Throwable refused = catchThrowable(() -> bound(Map.of("equipoise.worker.absence", "5s")));

        assertThat(ExceptionText.innermost(refused))
                .isEqualTo(
                        "equipoise.worker.absence PT5S is out of range: at least equipoise.worker.silence, PT10S");
    }

    @Test
    void credentialLifeMustBePositive() {
        Throwable refused =
                catchThrowable(() -> bound(Map.of("equipoise.worker.credential-life", "0s")));

        assertThat(ExceptionText.innermost(refused))
                .isEqualTo("equipoise.worker.credential-life must be positive, but was PT0S");
    }

    @Test
    void timeToFormAClusterMustBePositive() {
        Throwable refused =
                catchThrowable(() -> bound(Map.of("equipoise.worker.cluster-forming", "0s")));

        assertThat(ExceptionText.innermost(refused))
                .isEqualTo("equipoise.worker.cluster-forming must be positive, but was PT0S");
    }

    @ParameterizedTest
    @CsvSource({"59m, PT59M", "1001d, PT24024H"})
    void historyLastsFromAnHourToAThousandDays(String history, String shown) {
        Throwable refused =
                catchThrowable(() -> bound(Map.of("equipoise.worker.history", history)));

        assertThat(ExceptionText.innermost(refused))
                .isEqualTo(
                        "equipoise.worker.history %s is out of range: from PT1H to PT24000H",
                        shown);
    }
}
