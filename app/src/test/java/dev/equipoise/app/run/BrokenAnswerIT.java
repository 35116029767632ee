package dev.equipoise.app.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.equipoise.app.RunningService;
import dev.equipoise.app.TestingAgent;
import dev.equipoise.app.TestingLab;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.RunReport;
import dev.equipoise.protocol.RunReport.Phase;
import dev.equipoise.protocol.RunReport.Strand;
import dev.equipoise.protocol.RunReport.Traced;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.http.HttpHeaders;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Streamed responses that fail after their beginning was sent. */
@RunningService
class BrokenAnswerIT {

    private static final int SLICES = 1_000;

    /** Enough parts that the last one is read after the first ones were written. */
    private static final int PARTS = 12;

    private static final String DEFINITION =
            """
            {"apiVersion": "equipoise/v1", "name": "broken", "dataset": {"name": "mnist", "limit": 10000},
             "network": {"preset": "mnist-cnn"}, "training": {"epochs": 2, "batchSize": 10},
             "workers": {"replicas": 1}, "trace": true}
            """;

    private final TestingLab lab;
    private final JdbcClient database;
    private final HttpClient http = HttpClient.newHttpClient();
    private final int port;

    BrokenAnswerIT(
            @Autowired TestingLab lab, @Autowired JdbcClient database, @LocalServerPort int port) {
        this.lab = lab;
        this.database = database;
        this.port = port;
    }

    @AfterEach
    void clear() {
        lab.clear();
    }

    @Test
    void failedStreamedResponseIsNotTerminatedAsComplete() throws Exception {
        TestingLab.Project project = lab.project();
        TestingAgent agent = lab.agents(1).getFirst();
        String run = project.submitOne(DEFINITION);
        Assignment.Training part = agent.training();
        agent.tell(part, new RunReport.ReplicaReady(0, 0, "start"));
        for (int number = 0; number < PARTS; number++) {
            agent.tell(part, slices(number));
        }
        HttpRequest trace =
                HttpRequest.newBuilder(
                                URI.create(
                                        "http://127.0.0.1:%d/api/v1/runs/%s/trace"
                                                .formatted(port, run)))
                        .header(HttpHeaders.AUTHORIZATION, "Bearer " + project.member().bearer())
                        .build();
        HttpResponse<String> whole = http.send(trace, HttpResponse.BodyHandlers.ofString());
        assertThat(whole.statusCode()).isEqualTo(200);
        assertThat(whole.headers().firstValue(HttpHeaders.TRANSFER_ENCODING)).hasValue("chunked");

        breakLastPart(run);

        assertThatThrownBy(() -> http.send(trace, HttpResponse.BodyHandlers.ofString()))
                .isInstanceOf(IOException.class);
    }

    private static Traced slices(int number) {
        List<Long> begun =
                LongStream.range(0, SLICES)
                        .map(it -> (it + (long) number * SLICES) * 100)
                        .boxed()
                        .toList();
        return new Traced(
                0,
                1,
                Strand.MAIN,
                Collections.nCopies(SLICES, Phase.COMPUTE),
                begun,
                Collections.nCopies(SLICES, 50L),
                0);
    }

    private void breakLastPart(String run) {
        database.sql(
                        """
                        update trace_part set slices = '"broken"'
                        where id = (select max(id) from trace_part where run_id = :run)
                        """)
                .param("run", UUID.fromString(run))
                .update();
    }
}
