// .teamcity/settings.kts, a part of it; env.FAIRLEAD_URL and env.FAIRLEAD_TOKEN are parameters of the project
object Android : BuildType({
    name = "Android"
    steps {
        gradle { tasks = "assembleRelease" }
        script {
            name = "Upload to Fairlead"
            scriptContent = """
                npx --yes --package "${'$'}FAIRLEAD_URL/cli/fairlead-0.1.0.tgz" -- fairlead builds upload \
                  app/build/outputs/apk/release/app-release.apk --app shop \
                  --mapping app/build/outputs/mapping/release/mapping.txt --group QA --notify
            """.trimIndent()
        }
    }
})

object Ios : BuildType({
    name = "iOS"
    steps {
        script { scriptContent = "xcodebuild -scheme Shop -archivePath build/Shop.xcarchive archive" }
        script {
            name = "Upload to Fairlead"
            scriptContent = """
                npx --yes --package "${'$'}FAIRLEAD_URL/cli/fairlead-0.1.0.tgz" -- fairlead builds upload build/Shop.ipa \
                  --app shop-ios --dsym build/Shop.xcarchive --group QA --notify
            """.trimIndent()
        }
    }
})
