import { askLater } from './ask-later.ts'
import { askUser } from './ask-user.ts'
import { deleteFiles } from './delete-files.ts'
import { deploy } from './deploy.ts'
import { postToSlack } from './post-to-slack.ts'
import { sendEmail } from './send-email.ts'
import { writeReport } from './write-report.ts'

/** The tools of the agent, by the names that the model knows. */
export const tools = {
  delete_files: deleteFiles,
  ask_user: askUser,
  send_email: sendEmail,
  post_to_slack: postToSlack,
  write_report: writeReport,
  deploy,
  ask_later: askLater,
}
