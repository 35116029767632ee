package dev.equipoise.app.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.RunningService;
import dev.equipoise.app.TestingLab;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

@RunningService
class ClusterNameIT {

    private static final String FIXED = "equipoise";
    private static final String UUID_PATTERN = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}";

    private final TestingLab lab;
    private final JdbcClient database;
    private final TransactionTemplate transaction;

    ClusterNameIT(
            @Autowired TestingLab lab,
            @Autowired JdbcClient database,
            @Autowired TransactionTemplate transaction) {
        this.lab = lab;
        this.database = database;
        this.transaction = transaction;
    }

    @AfterEach
    void clear() {
        lab.clear();
    }

    private ClusterName clusterName(Map<String, String> properties) {
        return new ClusterName(
                database,
                new Binder(new MapConfigurationPropertySource(properties))
                        .bindOrCreate("equipoise.worker", WorkerSettings.class));
    }

    private ClusterName clusterName() {
        return clusterName(Map.of());
    }

    /** Calls in a transaction in which no worker is left, and which leaves no trace. */
    private <T> T withoutWorkers(Supplier<T> call) {
        return transaction.execute(status -> {
            status.setRollbackOnly();
            database.sql("update worker set state = 'LEFT'").update();
            return call.get();
        });
    }

    private void setFixedName() {
        database.sql("update agent_cluster set name = :fixed").param("fixed", FIXED).update();
    }

    @Test
    void databaseHasARandomNameThatStays() {
        String name = clusterName().forNewcomer();

        assertThat(name).matches(UUID_PATTERN);
        assertThat(clusterName().forNewcomer()).isEqualTo(name);
        assertThat(withoutWorkers(() -> clusterName().forNewcomer())).isEqualTo(name);
    }

    @Test
    void fixedNameOfAnEarlierVersionIsReplacedWhenNoWorkerIsLeft() {
        String replaced =
                withoutWorkers(() -> {
                    setFixedName();
                    String name = clusterName().forNewcomer();
                    assertThat(clusterName().forNewcomer()).isEqualTo(name);
                    return name;
                });

        assertThat(replaced).matches(UUID_PATTERN);
    }

    /** Agents of two names do not see one another. */
    @Test
    void fixedNameStaysWhileAWorkerMayComeBack() {
        var lost = lab.join("lost");

        String name =
                withoutWorkers(() -> {
                    setFixedName();
                    database.sql("update worker set state = 'LOST' where id = :id")
                            .param("id", lost.id().value())
                            .update();
                    return clusterName().forNewcomer();
                });

        assertThat(name).isEqualTo(FIXED);
    }

    @Test
    void nameOfTheSettingsTakesPrecedence() {
        assertThat(clusterName(Map.of("equipoise.worker.cluster-name", "chosen")).forNewcomer())
                .isEqualTo("chosen");
    }
}
