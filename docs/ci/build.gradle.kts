// app/build.gradle.kts; run by `./gradlew uploadToFairlead` with FAIRLEAD_URL and FAIRLEAD_TOKEN in the environment
tasks.register<Exec>("uploadToFairlead") {
    group = "distribution"
    description = "Uploads the release APK to Fairlead"
    dependsOn("assembleRelease")
    commandLine(
        "npx", "--yes", "fairlead", "builds", "upload",
        "$projectDir/build/outputs/apk/release/app-release.apk",
        "--app", "shop", "--group", "QA", "--notify",
    )
}
