package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.launcher.TestingService.Answer;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class StoredRunsIT {

    private static Map<String, Answer> page(String next) {
        return Map.of("GET runs", new Answer(200, "{\"items\": [], \"next\": %s}".formatted(next)));
    }

    @Test
    void cursorMayHaveAnyCharacter() throws IOException {
        try (var service = new TestingService(page("\"a b+c\""));
                var api = new ServiceApi(service.address(), "token")) {
            service.changeAfter("GET runs", page("null"));
            Progress progress = new Progress(System.out, false, System::nanoTime, () -> {});

            StoredRuns stored = StoredRuns.read(RetryingReader.of(api, progress), Set.of());

            assertThat(stored.runs()).isEmpty();
            assertThat(service.details())
                    .containsExactly(
                            "GET runs state=COMPLETED&limit=500 ",
                            "GET runs state=COMPLETED&limit=500&cursor=a b+c ");
        }
    }
}
