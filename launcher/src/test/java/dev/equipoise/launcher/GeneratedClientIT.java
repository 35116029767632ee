package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.generated.ApiClient;
import dev.equipoise.generated.api.ExperimentsApi;
import dev.equipoise.generated.api.RunsApi;
import dev.equipoise.generated.model.Run;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Makes a run with the Java client that the build generates from the OpenAPI description. */
@ExtendWith(SharedLabs.class)
class GeneratedClientIT {

    private static final String DEFINITION =
            """
            {"apiVersion": "equipoise/v1", "name": "generated-client",
             "dataset": {"name": "synthetic", "shape": [8, 8, 1], "samples": 200},
             "network": {"layers": ["flatten", {"dense": 10}]},
             "training": {"epochs": 1, "batchSize": 10},
             "workers": {"replicas": 2}}
            """;

    private static ApiClient client(StandingLab lab) {
        ApiClient client = new ApiClient();
        client.updateBaseUri(lab.address().toString());
        String token = lab.environment().get("EQUIPOISE_TOKEN");
        client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + token));
        return client;
    }

    @Test
    void generatedClientMakesARunAndReadsItsResult(StandingLab lab) throws Exception {
        ApiClient client = client(lab);
        RunsApi runs = new RunsApi(client);

        UUID experiment =
                new ExperimentsApi(client)
                        .createExperiment(project(lab), DEFINITION, null, null)
                        .getId();
        UUID id = runs.submitRuns(experiment, null, null).getItems().getFirst().getId();
        TestingCommand.Ended watch =
                TestingCommand.run(
                        TestingCommand.launch("runs", "watch", id.toString()), lab.environment());
        assertThat(watch.status()).as(watch.output()).isZero();
        Run run = runs.getRun(id, null);

        assertThat(run.getState()).hasToString("COMPLETED");
        assertThat(run.getExperimentName()).isEqualTo("generated-client");
        assertThat(run.getConfiguration().getWorkers().getReplicas()).isEqualTo(2);
        assertThat(run.getTestAccuracy()).isBetween(0.0, 1.0);
    }

    private static UUID project(StandingLab lab) {
        try (ServiceApi api = lab.api()) {
            return UUID.fromString(api.project("generated client"));
        }
    }
}
