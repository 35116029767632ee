package dev.equipoise.app;

import org.junit.jupiter.api.Test;
import org.springframework.modulith.core.ApplicationModules;
import org.springframework.modulith.docs.Documenter;

class ModularityTest {

    private final ApplicationModules modules = ApplicationModules.of(Equipoise.class);

    @Test
    void modulesUseOneAnotherOnlyAsTheyDeclare() {
        modules.verify();
    }

    @Test
    void theDiagramsAreThoseOfTheCode() {
        new Documenter(modules, Documenter.Options.defaults().withOutputFolder("../docs/modules"))
                .writeModulesAsPlantUml()
                .writeModuleCanvases();
    }
}
