package dev.equipoise.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.AbstractDataSource;

class SimulatedDatabaseTest {

    private static final int MANY = 3_000;

    /** Names of the methods that the pool's connections were called with. */
    private final List<String> calls = new ArrayList<>();

    private final SimulatedDatabase database = new SimulatedDatabase();
    private final DataSource service =
            (DataSource) database.postProcessAfterInitialization(new Pool(), "dataSource");

    private final class Pool extends AbstractDataSource {

        @Override
        public Connection getConnection() {
            return (Connection)
                    Proxy.newProxyInstance(
                            SimulatedDatabaseTest.class.getClassLoader(),
                            new Class<?>[] {Connection.class},
                            (_, method, _) -> {
                                calls.add(method.getName());
                                return null;
                            });
        }

        @Override
        public Connection getConnection(String user, String password) {
            return getConnection();
        }
    }

    /** A use of the database. */
    @FunctionalInterface
    private interface Use {

        void run() throws SQLException;
    }

    /** Makes a call of the service, and returns the SQL state with which it fails; else "". */
    private String call(Use use) {
        return database.call(() -> {
            try {
                use.run();
                return "";
            } catch (SQLException failure) {
                assertThat(SimulatedDatabase.isLoss(failure)).isTrue();
                return failure.getSQLState();
            }
        });
    }

    private void commit() throws SQLException {
        try (Connection connection = service.getConnection()) {
            connection.commit();
        }
    }

    @BeforeEach
    void begin() {
        database.begin(1);
    }

    @Test
    void databaseThatGoesDownLosesOpenConnectionsAndRefusesNewOnes() throws SQLException {
        database.goDownAfter(1);
        String lost =
                call(() -> {
                    try (Connection first = service.getConnection();
                            Connection second = service.getConnection()) {
                        var _ = first.createStatement();
                        assertThatThrownBy(second::createStatement)
                                .isInstanceOf(SQLException.class);
                        var _ = first.createStatement();
                    }
                });

        assertThat(lost).isEqualTo("08006");
        assertThat(call(this::commit)).isEqualTo("08001");
        commit();
        database.start();
        assertThat(call(this::commit)).isEmpty();
    }

    @Test
    void someConnectionsAreLostBeforeTheirCommitAndSomeAfterIt() {
        int before = 0;
        int after = 0;
        for (int i = 0; i < MANY; i++) {
            calls.clear();
            if (!call(this::commit).isEmpty()) {
                before += calls.equals(List.of("close")) ? 1 : 0;
                after += calls.equals(List.of("commit", "close")) ? 1 : 0;
            }
        }

        assertThat(before).isPositive();
        assertThat(after).isPositive();
        assertThat(database.takeLosses()).isEqualTo(before + after);
    }

    @Test
    void connectionsOfTheTestAreNotLost() throws SQLException {
        database.goDownAfter(0);

        for (int i = 0; i < MANY; i++) {
            commit();
        }

        assertThat(database.takeLosses()).isZero();
    }
}
