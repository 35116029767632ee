package dev.equipoise.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/**
 * Creates temporary folders of tests below the module's {@code target}, with the class in the name.
 * JUnit keeps the folder of a failed test, so that its logs can be read afterwards.
 */
public final class TestFolders implements TempDirFactory {

    @Override
    public Path createTempDirectory(
            AnnotatedElementContext elementContext, ExtensionContext extensionContext)
            throws IOException {
        Path parent = Files.createDirectories(Path.of("target", "folders").toAbsolutePath());
        return Files.createTempDirectory(
                parent, extensionContext.getRequiredTestClass().getSimpleName() + "-");
    }
}
