package dev.equipoise.launcher;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives tests a {@link StandingLab} or a {@link ChaosLab} that all classes share, because a lab
 * takes seconds to start. Each lab is started at its first use. After each test the chaos lab is
 * repaired; if that fails, it is closed, and the next test gets a new one.
 *
 * <p>A worker that a test joins stays in the lab's list after it has left. So a test names each of
 * its workers by {@link #workerName}, and counts workers of these names alone.
 */
final class SharedLabs implements ParameterResolver, AfterEachCallback {

    private static final Namespace NAMESPACE = Namespace.create(SharedLabs.class);
    private static final AtomicInteger WORKERS = new AtomicInteger();

    /** Returns a name that no other worker of a shared lab has, also if a test is repeated. */
    static String workerName(Class<?> test) {
        return "%s-%d".formatted(test.getSimpleName(), WORKERS.incrementAndGet());
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return type == StandingLab.class || type == ChaosLab.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return store(context).computeIfAbsent(type, SharedLabs::start);
    }

    private static Object start(Class<?> type) {
        try {
            Path folder = Path.of("target", "folders", type.getSimpleName()).toAbsolutePath();
            Files.createDirectories(folder.getParent());
            Path own = Files.createTempDirectory(folder.getParent(), type.getSimpleName() + "-");
            return type == StandingLab.class ? StandingLab.start(own) : ChaosLab.start(own);
        } catch (Exception failure) {
            throw new IllegalStateException("the shared lab did not start", failure);
        }
    }

    @Override
    public void afterEach(ExtensionContext context) throws Exception {
        ChaosLab lab = store(context).get(ChaosLab.class, ChaosLab.class);
        if (lab == null) {
            return;
        }
        try {
            lab.repair();
        } catch (Exception | Error failure) {
            store(context).remove(ChaosLab.class);
            lab.close();
            throw failure;
        }
    }

    /** Returns the store that closes the labs after the last test. */
    private static Store store(ExtensionContext context) {
        return context.getRoot().getStore(NAMESPACE);
    }
}
