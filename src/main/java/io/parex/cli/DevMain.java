package io.parex.cli;

import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.QuarkusApplication;
import io.quarkus.runtime.annotations.QuarkusMain;

/**
 * What {@code ./mvnw quarkus:dev} runs instead of {@link Main}: a world whose code is replaced while it lives. There
 * Quarkus starts and stops the application, and a command that did so as well would be in its way.
 */
@QuarkusMain(name = "dev")
final class DevMain implements QuarkusApplication {

    @Override
    public int run(String... arguments) {
        System.out.print(Places.of(Server.running()).text());
        System.out.flush();
        Quarkus.waitForExit();
        return ExitCodes.GOOD;
    }
}
