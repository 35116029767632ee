package dev.equipoise.agent.network;

import dev.equipoise.agent.network.nd4j.Nd4jBackend;
import dev.equipoise.agent.network.step.Backend;
import dev.equipoise.agent.network.step.Device;

class Nd4jBackendTest extends BackendContract {

    @Override
    Backend backend() {
        return new Nd4jBackend(Device.CPU);
    }
}
