package dev.equipoise.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.modulith.core.ApplicationModules;
import org.springframework.modulith.docs.Documenter;

class ModularityTest {

    private static final Path COMMITTED = Path.of("../docs/modules");
    private static final Path PRESENT = Path.of("target/modules");

    private final ApplicationModules modules = ApplicationModules.of(Equipoise.class);

    @Test
    void modulesUseOnlyDeclaredDependencies() {
        modules.verify();
    }

    @Test
    void diagramMatchesTheCode() throws IOException {
        new Documenter(modules, Documenter.Options.defaults().withOutputFolder(PRESENT.toString()))
                .writeModulesAsPlantUml();

        assertThat(lines(PRESENT))
                .as(
                        "the modules have changed; if intended: cp app/%s/* %s",
                        PRESENT, COMMITTED.toString().substring("../".length()))
                .isEqualTo(lines(COMMITTED));
    }

    /**
     * Returns the sorted lines of each file, since their order depends on the order of class files.
     */
    private static Map<String, String> lines(Path folder) throws IOException {
        Map<String, String> byFile = new TreeMap<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                byFile.put(
                        file.getFileName().toString(),
                        String.join("\n", Files.readAllLines(file).stream().sorted().toList()));
            }
        }
        return byFile;
    }
}
