package dev.equipoise.app.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.equipoise.app.problem.Reason;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

class WorkerSettingsTest {

    private static WorkerSettings bound(Map<String, String> properties) {
        return new Binder(new MapConfigurationPropertySource(properties))
                .bindOrCreate("equipoise.worker", WorkerSettings.class);
    }

    @Test
    void nothingNeedBeTold() {
        assertThat(bound(Map.of()))
                .isEqualTo(
                        new WorkerSettings(
                                "equipoise",
                                Duration.ofSeconds(10),
                                Duration.ofDays(7),
                                Duration.ofSeconds(10),
                                Duration.ofMinutes(10),
                                Duration.ofHours(24)));
    }

    @Test
    void nobodyHasLeftBeforeItIsLost() {
        Throwable refused = catchThrowable(() -> bound(Map.of("equipoise.worker.absence", "5s")));

        assertThat(Reason.innermost(refused))
                .isEqualTo(
                        "equipoise.worker.absence must not be shorter than silence, but they were PT5S and PT10S");
    }

    @Test
    void aCredentialLivesForSomeTime() {
        Throwable refused =
                catchThrowable(() -> bound(Map.of("equipoise.worker.credential-life", "0s")));

        assertThat(Reason.innermost(refused))
                .isEqualTo("equipoise.worker.credential-life must be positive, but was PT0S");
    }
}
