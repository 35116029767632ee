package dev.equipoise.app;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * The database of a simulated service, which loses connections at moments that a seed determines:
 * before or after a commit one connection, and when it goes down all of them. It does so only
 * during calls of {@link #call}, in their thread. The real database goes on: a transaction whose
 * connection is lost before its commit is rolled back, as the server would do.
 */
public final class SimulatedDatabase implements BeanPostProcessor {

    private static final String LOSS = "simulated loss of the connection to the database";
    private static final String CONNECTION_FAILURE = "08006";
    private static final String UNABLE_TO_CONNECT = "08001";

    /** Number of commits of which one loses its connection before it, and one after it. */
    private static final int COMMITS_PER_LOSS = 150;

    /** The thread whose connections may be lost. */
    private volatile @Nullable Thread watched;

    // Only the watched thread uses these.
    private final List<LossyConnection> open = new ArrayList<>();
    private Random random = new Random(0);
    private int operationsUntilDown = Integer.MAX_VALUE;
    private boolean isDown;
    private int losses;

    /** Wraps the connection pool, so that all of the service gets lossy connections. */
    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        return bean instanceof DataSource pool ? new LossyDataSource(pool) : bean;
    }

    /** Begins a seed: the database is up. */
    public void begin(long seed) {
        random = new Random(seed);
        losses = 0;
        start();
    }

    /** Makes the database go down after some statements and commits, in the middle of a request. */
    public void goDownAfter(int operations) {
        operationsUntilDown = operations;
    }

    /** Lets the database answer again. */
    public void start() {
        isDown = false;
        operationsUntilDown = Integer.MAX_VALUE;
    }

    /** Returns how often a connection was lost or refused since the last call. */
    public int takeLosses() {
        int taken = losses;
        losses = 0;
        return taken;
    }

    /** Makes a call whose connections may be lost. */
    public <T> T call(Supplier<T> action) {
        watched = Thread.currentThread();
        try {
            return action.get();
        } finally {
            watched = null;
            open.clear();
        }
    }

    /** Tells whether a message, of an exception or of the log, is about a simulated loss. */
    public static boolean isLoss(@Nullable String message) {
        return message != null && message.contains(LOSS);
    }

    /** Tells whether an exception has a simulated loss among its causes. */
    public static boolean isLoss(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (isLoss(cause.getMessage())) {
                return true;
            }
        }
        return false;
    }

    private boolean isWatched() {
        return Thread.currentThread().equals(watched);
    }

    /** Goes down if its moment has come; then it refuses connections and loses the open ones. */
    private void countOperation() {
        if (operationsUntilDown-- <= 0) {
            isDown = true;
            operationsUntilDown = Integer.MAX_VALUE;
            open.forEach(LossyConnection::lose);
        }
    }

    private final class LossyDataSource extends DelegatingDataSource {

        LossyDataSource(DataSource pool) {
            super(pool);
        }

        @Override
        public Connection getConnection() throws SQLException {
            DataSource pool = Objects.requireNonNull(getTargetDataSource());
            if (!isWatched()) {
                return pool.getConnection();
            }
            if (isDown) {
                losses++;
                throw new SQLTransientConnectionException(LOSS, UNABLE_TO_CONNECT);
            }
            var connection = new LossyConnection(pool.getConnection());
            open.add(connection);
            return (Connection)
                    Proxy.newProxyInstance(
                            SimulatedDatabase.class.getClassLoader(),
                            new Class<?>[] {Connection.class},
                            connection);
        }
    }

    /** A connection of the pool; once it is lost, everything but closing it fails. */
    private final class LossyConnection implements InvocationHandler {

        private final Connection pooled;
        private boolean isLost;

        LossyConnection(Connection pooled) {
            this.pooled = pooled;
        }

        void lose() {
            isLost = true;
        }

        @SuppressWarnings("ReferenceEquality") // a connection equals itself alone
        @Override
        public @Nullable Object invoke(
                Object proxy, Method method, @Nullable Object @Nullable [] arguments)
                throws Throwable {
            return switch (method.getName()) {
                case "equals" -> arguments != null && proxy == arguments[0];
                case "hashCode" -> System.identityHashCode(proxy);
                case "toString" -> "simulated " + pooled;
                case "isClosed" -> isLost || pooled.isClosed();
                case "close" -> {
                    open.remove(this);
                    // Rolls back, and returns to the pool with its settings of before.
                    yield forward(method, arguments);
                }
                case "createStatement", "prepareStatement", "prepareCall" -> {
                    requireConnected();
                    countOperation();
                    requireConnected();
                    yield forward(method, arguments);
                }
                case "commit" -> commit(method, arguments);
                default -> {
                    requireConnected();
                    yield forward(method, arguments);
                }
            };
        }

        private @Nullable Object commit(Method method, @Nullable Object @Nullable [] arguments)
                throws Throwable {
            requireConnected();
            countOperation();
            int fate = random.nextInt(COMMITS_PER_LOSS);
            isLost |= fate == 0;
            requireConnected();
            Object result = forward(method, arguments);
            isLost |= fate == 1;
            requireConnected();
            return result;
        }

        private void requireConnected() throws SQLException {
            if (isLost) {
                losses++;
                throw new SQLException(LOSS, CONNECTION_FAILURE);
            }
        }

        private @Nullable Object forward(Method method, @Nullable Object @Nullable [] arguments)
                throws Throwable {
            try {
                return method.invoke(pooled, arguments);
            } catch (InvocationTargetException failed) {
                throw failed.getTargetException();
            }
        }
    }
}
