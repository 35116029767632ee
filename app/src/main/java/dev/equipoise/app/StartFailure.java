package dev.equipoise.app;

import java.nio.file.FileSystemException;
import org.springframework.boot.SpringBootExceptionReporter;
import org.springframework.boot.web.server.PortInUseException;
import org.springframework.context.ConfigurableApplicationContext;

/** Says in one sentence why the service did not start, in place of a stack trace. */
final class StartFailure implements SpringBootExceptionReporter {

    StartFailure(ConfigurableApplicationContext context) {}

    /** Nothing here: {@link Equipoise#main} gets the failure and explains it once. */
    @Override
    public boolean reportException(Throwable failure) {
        return true;
    }

    static void explain(Throwable failure) {
        System.err.println("equipoise: " + sentence(failure));
    }

    static String sentence(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof PortInUseException busy) {
                return "port %d is in use; stop what listens there or choose another with --server.port"
                        .formatted(busy.getPort());
            }
            if (cause instanceof DatabaseUnavailable unavailable) {
                return String.valueOf(unavailable.getMessage());
            }
            if (cause instanceof FileSystemException file) {
                return "%s: %s"
                        .formatted(
                                file.getFile(),
                                file.getReason() == null
                                        ? file.getClass().getSimpleName()
                                        : file.getReason());
            }
        }
        return "the service did not start: " + root(failure);
    }

    private static String root(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root.getMessage() == null ? root.getClass().getName() : root.getMessage();
    }
}
