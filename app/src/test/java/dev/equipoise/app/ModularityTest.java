package dev.equipoise.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.modulith.core.ApplicationModules;
import org.springframework.modulith.docs.Documenter;

class ModularityTest {

    private static final Path FOLDER = Path.of("../docs/modules");

    private final ApplicationModules modules = ApplicationModules.of(Equipoise.class);

    @Test
    void modulesUseOneAnotherOnlyAsTheyDeclare() {
        modules.verify();
    }

    @Test
    void theDiagramIsThatOfTheCode() throws IOException {
        new Documenter(modules, Documenter.Options.defaults().withOutputFolder(FOLDER.toString()))
                .writeModulesAsPlantUml();
        Path components = FOLDER.resolve("components.puml");
        List<String> lines = Files.readAllLines(components);
        assertThat(lines).anyMatch(it -> it.startsWith("Rel("));

        Files.write(components, sorted(sorted(lines, "Rel("), "    Component("));
    }

    /** The library writes them in another order each time. */
    private static List<String> sorted(List<String> lines, String kind) {
        List<String> others = new ArrayList<>(lines);
        others.removeIf(it -> it.startsWith(kind));
        int first =
                lines.indexOf(
                        lines.stream().filter(it -> it.startsWith(kind)).findFirst().orElseThrow());
        others.addAll(first, lines.stream().filter(it -> it.startsWith(kind)).sorted().toList());
        return others;
    }
}
